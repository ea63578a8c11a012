neuromc "$(printf 'fo\033o')"
