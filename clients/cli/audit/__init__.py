"""An auditor of one property: recomputes from the feeds what the services say, with naive code of its own."""
