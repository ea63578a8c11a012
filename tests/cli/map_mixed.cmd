neuromc map --triple x.json --batch 3
