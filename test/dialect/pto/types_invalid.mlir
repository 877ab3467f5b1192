// RUN: pto-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{a tile type needs a shape and an element type, as in 16x16xf32}}
func.func private @no_shape(!pto.tile_buf<loc=vec, dtype=f32>)

// -----

// expected-error @+1 {{a tile has 2 dimensions, not 3}}
func.func private @rank_3(!pto.tile_buf<vec, 2x16x16xf32>)

// -----

// expected-error @+1 {{a tile has 2 dimensions, not 1}}
func.func private @rank_1(!pto.tile<16xf32>)

// -----

// expected-error @+1 {{a tile has at least one row and one column, not 0x16}}
func.func private @no_rows(!pto.tile<0x16xf32>)

// -----

// expected-error @+1 {{a tile has at least one row and one column, not -4x16}}
func.func private @negative_rows(!pto.tile_buf<loc=vec, dtype=f32, rows=-4, cols=16>)

// -----

// expected-error @+1 {{expected static shape}}
func.func private @dynamic_shape(!pto.tile<?x16xf32>)

// -----

// expected-error @+1 {{tile elements are integers or floats, not 'index'}}
func.func private @index_elements(!pto.tile<16x16xindex>)

// -----

// expected-error @+1 {{valid rows 17 are outside 0 to 16, the tile's size}}
func.func private @oversized_valid_rows(!pto.tile_buf<vec, 16x64xf32, valid=17x64>)

// -----

// expected-error @+1 {{valid columns 65 are outside 0 to 64, the tile's size}}
func.func private @oversized_valid_columns(!pto.tile_buf<vec, 16x64xf32, valid=?x65>)

// -----

// expected-error @+1 {{valid rows -1 are outside 0 to 16, the tile's size}}
func.func private @negative_valid_rows(!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=-1>)

// -----

// expected-error @+1 {{'valid' is written ROWSxCOLS, as in 8x16 or ?x16}}
func.func private @valid_of_rank_1(!pto.tile_buf<vec, 16x64xf32, valid=16>)

// -----

// expected-error @+1 {{unknown tile space 'ub'; it is one of vec, mat, left, right, acc, bias}}
func.func private @unknown_space(!pto.tile_buf<loc=ub, dtype=f32, rows=16, cols=64>)

// -----

// expected-error @+1 {{unknown layout 'diagonal'; it is one of row_major, col_major, none_box}}
func.func private @unknown_layout(!pto.tile_buf<vec, 16x64xf32, blayout=diagonal>)

// -----

// expected-error @+1 {{blayout is row_major or col_major}}
func.func private @none_box_blayout(!pto.tile_buf<vec, 16x64xf32, blayout=none_box>)

// -----

// expected-error @+1 {{fractal is a positive number of bytes}}
func.func private @zero_fractal(!pto.tile_buf<vec, 16x64xf32, fractal=0>)

// -----

// expected-error @+1 {{pad is 0 (none), 1 (zero), 2 (largest) or 3 (smallest)}}
func.func private @unknown_pad(!pto.tile_buf<vec, 16x64xf32, pad=4>)

// -----

// expected-error @+1 {{unknown tile parameter 'size'; it is one of loc, dtype, rows, cols, v_row, v_col, valid, blayout, slayout, fractal, pad}}
func.func private @unknown_parameter(!pto.tile_buf<vec, 16x64xf32, size=4>)

// -----

// expected-error @+1 {{a view has 1 to 5 dimensions, not 0}}
func.func private @view_of_rank_0(!pto.tensor_view<f32>)

// -----

// expected-error @+1 {{a view has 1 to 5 dimensions, not 6}}
func.func private @view_of_rank_6(!pto.partition_tensor_view<1x1x1x1x1x1xf32>)

// -----

// expected-error @+1 {{elements are integers or floats, not 'vector<4xf32>'}}
func.func private @pointer_to_vector(!pto.ptr<vector<4xf32>>)
