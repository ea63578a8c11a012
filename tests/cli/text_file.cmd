neuromc estimate README.md
