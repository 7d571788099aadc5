-- What the feeds do not tell, or not in full, is entered in the chain of records.
CALL recorded('submission');
CALL recorded('approval');
