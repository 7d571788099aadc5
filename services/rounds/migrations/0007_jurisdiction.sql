-- Whose tax rates and thresholds hold for a property; empty: those of Pennsylvania.

ALTER TABLE property_setting ADD COLUMN jurisdiction text NOT NULL DEFAULT '';
