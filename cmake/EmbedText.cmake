# cmake -DOUTPUT=x.inc -DFILES=a.css,b.js -P EmbedText.cmake
# Writes a table of the files' names and texts for C++ to include.
string(REPLACE "," ";" files "${FILES}")
set(table "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND table "{\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${table}")
