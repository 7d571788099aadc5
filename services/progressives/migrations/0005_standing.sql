-- What stands is found by the latest state of each jackpot, decision and alert: these tell it without their rows.
DROP INDEX jackpot_states;
CREATE INDEX jackpot_states ON jackpot (property_id, jackpot_id, position DESC) INCLUDE (state);
CREATE INDEX decision_states ON decision (property_id, decision_id, position DESC) INCLUDE (state, kind);
CREATE INDEX alert_states ON alert (property_id, alert_id, position DESC) INCLUDE (state);
