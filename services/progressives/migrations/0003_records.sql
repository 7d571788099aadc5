-- What the feed does not tell is entered in the chain of records.
CALL recorded('submission');
CALL recorded('opened_day');
CALL recorded('property_set');
CALL recorded('sign');
CALL recorded('payee');
