/** The read-only file tree of a simulated guest. */

interface Owned {
  /** Permission bits. */
  mode: number
  owner: string
}

export interface Directory extends Owned {
  kind: 'directory'
  entries: Map<string, Entry>
}

export interface File extends Owned {
  kind: 'file' | 'block device' | 'character device'
  read: () => string
  /** Handles text written to it; absent if it is not writable. */
  write?: (text: string) => void
}

export type Entry = Directory | File

export const directory = (mode = 0o755, owner = 'root'): Directory => ({
  kind: 'directory',
  entries: new Map(),
  mode,
  owner,
})

/** Normalizes a path: absolute, without `.`, `..` and empty parts. */
export function absolute(path: string, cwd: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** The entry at an absolute path. */
export function find(root: Directory, path: string): Entry | undefined {
  let entry: Entry | undefined = root
  for (const part of path.split('/')) {
    if (part === '') continue
    if (entry?.kind !== 'directory') return undefined
    entry = entry.entries.get(part)
  }
  // Only the path of a directory may end with a slash.
  return path.endsWith('/') && entry?.kind !== 'directory' ? undefined : entry
}

/** Adds an entry, and its missing parent directories. */
export function add(root: Directory, path: string, entry: Entry): void {
  const parts = path.split('/').filter(Boolean)
  const name = parts.pop()!
  let parent = root
  for (const part of parts) {
    let next = parent.entries.get(part)
    if (!next) parent.entries.set(part, (next = directory()))
    if (next.kind !== 'directory') throw new Error(`${part} of ${path} is no directory`)
    parent = next
  }
  parent.entries.set(name, entry)
}

export const file = (
  content: string | (() => string),
  { mode = 0o644, owner = 'root' }: Partial<Owned> = {},
): File => ({
  kind: 'file',
  read: typeof content === 'string' ? () => content : content,
  mode,
  owner,
})
