/** A file system without room. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Fills the file system of a directory with a file named `ballast`. */
export function fill(directory: string): void {
  const file = openSync(join(directory, 'ballast'), 'w')
  try {
    for (;;) writeSync(file, new Uint8Array(4096).fill(1))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(file)
  }
}
