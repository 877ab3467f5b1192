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

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'index'}}
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

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'vector<4xf32>'}}
func.func private @pointer_to_vector(!pto.ptr<vector<4xf32>>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i1'}}
func.func private @elements_of_i1(!pto.tile<4x16xi1>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func private @elements_of_i4(!pto.tile<4x16xi4>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i128'}}
func.func private @elements_of_i128(!pto.tile<4x16xi128>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'si32'}}
func.func private @elements_of_si32(!pto.tile<4x16xsi32>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'f8E4M3FN'}}
func.func private @elements_of_f8E4M3FN(!pto.tile<4x16xf8E4M3FN>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'tf32'}}
func.func private @elements_of_tf32(!pto.tile<4x16xtf32>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func private @tensor_view_of_i4(!pto.tensor_view<?xi4>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func private @partition_tensor_view_of_i4(!pto.partition_tensor_view<?xi4>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func private @tile_buf_of_i4(!pto.tile_buf<vec, 4x16xi4>)

// -----

// expected-error @+1 {{elements are one of f16, bf16, f32, f64, i8, i16, i32, i64, ui8, ui16, ui32, ui64, not 'i4'}}
func.func private @ptr_of_i4(!pto.ptr<i4>)

// -----

// expected-error @+1 {{'pad' is given twice}}
func.func private @twice_pad_1_pad_2(!pto.tile_buf<vec, 16x64xf32, pad=1, pad=2>)

// -----

// expected-error @+1 {{'loc' is given twice}}
func.func private @twice_loc_vec(!pto.tile_buf<vec, 16x64xf32, loc=vec>)

// -----

// expected-error @+1 {{'rows' is given twice}}
func.func private @twice_rows_16(!pto.tile_buf<vec, 16x64xf32, rows=16>)

// -----

// expected-error @+1 {{'v_row' is given twice}}
func.func private @twice_valid_8x64_v_row_8(!pto.tile_buf<vec, 16x64xf32, valid=8x64, v_row=8>)

// -----

// expected-error @+1 {{'rows' is given twice}}
func.func private @twice_16x64xf32(!pto.tile_buf<vec, 16x64xf32, 16x64xf32>)
