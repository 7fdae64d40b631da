//! Pure functions from counts of results to Elo, LOS and LLR.
