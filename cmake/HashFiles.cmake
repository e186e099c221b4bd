# cmake -DOUTPUT=x.inc -DFILES=a.cpp,b.h -P HashFiles.cmake
# Writes a hash of the files' names and texts as a string for C++ to include.
string(REPLACE "," ";" files "${FILES}")
list(SORT files)
set(all "")
foreach(file IN LISTS files)
  file(SHA256 "${file}" hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE "${OUTPUT}" "\"${hash}\"\n")
