/* html.js: the common cursor of the charts over time, and legend entries that hide their lines. */
"use strict";
