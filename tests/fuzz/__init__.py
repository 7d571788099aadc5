"""Whatever is sent to the platform or written into a file: a named refusal or an answer, and it goes on working."""
