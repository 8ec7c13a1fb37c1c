/** Images of CDs, by libarchive. */
import type { LibraryHandle } from 'koffi'
import { NotInstalled } from './errors.ts'
import { loadKoffi } from './koffi.ts'

type KoffiFunction = ReturnType<LibraryHandle['func']>

/** The lowest result of a call that has done its work. */
const WARN = -20
/** A file, for its reader. */
const FILE_TYPE = 0o100000
const FILE_MODE = 0o444

interface Library {
  create: KoffiFunction
  free: KoffiFunction
  setFormat: KoffiFunction
  setOptions: KoffiFunction
  openFile: KoffiFunction
  newEntry: KoffiFunction
  freeEntry: KoffiFunction
  setPath: KoffiFunction
  setSize: KoffiFunction
  setType: KoffiFunction
  setMode: KoffiFunction
  writeHeader: KoffiFunction
  writeData: KoffiFunction
  close: KoffiFunction
  error: KoffiFunction
}

let library: Promise<Library> | undefined

async function load(): Promise<Library> {
  const koffi = await loadKoffi()
  let lib
  try {
    lib = koffi.load('libarchive.so.13')
  } catch (cause) {
    const missing = 'libarchive, which writes the CD with the settings of a guest, is missing'
    throw new NotInstalled(`${missing} (Debian package libarchive13)`, { cause })
  }
  const pointer = 'void *'
  return {
    create: lib.func('archive_write_new', pointer, []),
    free: lib.func('archive_write_free', 'int', [pointer]),
    setFormat: lib.func('archive_write_set_format_iso9660', 'int', [pointer]),
    setOptions: lib.func('archive_write_set_options', 'int', [pointer, 'str']),
    openFile: lib.func('archive_write_open_filename', 'int', [pointer, 'str']),
    newEntry: lib.func('archive_entry_new', pointer, []),
    freeEntry: lib.func('archive_entry_free', 'void', [pointer]),
    setPath: lib.func('archive_entry_set_pathname', 'void', [pointer, 'str']),
    setSize: lib.func('archive_entry_set_size', 'void', [pointer, 'int64']),
    setType: lib.func('archive_entry_set_filetype', 'void', [pointer, 'uint']),
    setMode: lib.func('archive_entry_set_perm', 'void', [pointer, 'uint']),
    writeHeader: lib.func('archive_write_header', 'int', [pointer, pointer]),
    writeData: lib.func('archive_write_data', 'int64', [pointer, pointer, 'size_t']),
    close: lib.func('archive_write_close', 'int', [pointer]),
    error: lib.func('archive_error_string', 'str', [pointer]),
  }
}

/** @throws NotInstalled */
export const loadArchive = (): Promise<unknown> => (library ??= load())

/**
 * Writes the image of a CD.
 * @param label of its file system
 * @throws NotInstalled without libarchive
 */
export async function writeCd(
  path: string,
  label: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const lib = await (library ??= load())
  const archive: unknown = lib.create()
  const check = (result: number): void => {
    if (result < WARN) throw new Error(`libarchive: ${String(lib.error(archive))}`)
  }
  try {
    check(lib.setFormat(archive))
    check(lib.setOptions(archive, `volume-id=${label},joliet,rockridge`))
    check(lib.openFile(archive, path))
    for (const [name, data] of Object.entries(files)) {
      const entry: unknown = lib.newEntry()
      try {
        lib.setPath(entry, name)
        lib.setSize(entry, data.length)
        lib.setType(entry, FILE_TYPE)
        lib.setMode(entry, FILE_MODE)
        check(lib.writeHeader(archive, entry))
        check(Number(lib.writeData(archive, data, data.length)))
      } finally {
        lib.freeEntry(entry)
      }
    }
    // Writes the file.
    check(lib.close(archive))
  } finally {
    lib.free(archive)
  }
}
