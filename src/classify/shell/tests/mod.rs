mod grouping;
