// The page from top to bottom.
document.title = report.model + ': ' + energy(total);
summary();
layersSection();
icicleSection();
countsSection();
networkSection();
mappingSection();
fragmentsSection();
coverageSection();
pricesSection();
document.documentElement.dataset.ready = 'yes';
