-- What of a meter is unearned seed follows from its movements, for every report in the same way: no table of its own.
DROP TABLE house_seed;
