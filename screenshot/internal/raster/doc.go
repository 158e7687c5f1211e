// Package raster paints scenes as pixels, in strips of rows.
package raster
