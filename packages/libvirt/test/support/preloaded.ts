/** Libraries that programs of tests load before all others. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * sanlock ends if it may not raise its limits, which root of a container may not. They matter to the
 * locking of memory only.
 */
export const KEEP_LIMITS = `
struct rlimit;
int setrlimit(unsigned resource, const struct rlimit *limit) { return 0; }
int setrlimit64(unsigned resource, const struct rlimit *limit) { return 0; }
`

/** Makes a library of a program in C. @returns its path */
export function compileLibrary(folder: string, name: string, text: string): string {
  const [source, library] = [join(folder, `${name}.c`), join(folder, `${name}.so`)]
  writeFileSync(source, text)
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source])
  return library
}
