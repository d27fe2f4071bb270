# Counts how often each option wins in the data set: Rscript data_set.R [data/set]
folder <- c(commandArgs(trailingOnly = TRUE), "data/set")[1]
read <- function(name) read.csv(gzfile(file.path(folder, paste0(name, ".csv.gz"))))
rows <- merge(merge(read("cases"), read("problems"), by = "problem"), read("machines"), by = "machine")

ok <- rows[rows$status == "ok" & rows$option != "", ]
ok <- ok[order(ok$call_time), ]
best <- ok[!duplicated(ok[c("machine", "problem")]), ]
count <- table(best$option)
cat(paste(names(count), count), sep = "\n")
