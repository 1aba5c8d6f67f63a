"""Arctic CleanUp: plan routes with dice, load plastic from the ocean and process it in a factory."""
