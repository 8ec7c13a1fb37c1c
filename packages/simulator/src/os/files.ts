/** The file tree of a simulated guest, which no program can change. */

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
  /** What becomes of text that is written to it; absent if it cannot be written to. */
  write?: (text: string) => void
}

export type Entry = Directory | File

export const directory = (mode = 0o755, owner = 'root'): Directory => ({
  kind: 'directory',
  entries: new Map(),
  mode,
  owner,
})

/** An absolute path without `.`, `..` and empty parts. */
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
  // Only a directory has a path that ends with a slash.
  return path.endsWith('/') && entry?.kind !== 'directory' ? undefined : entry
}

/** Adds an entry, and the directories above it that do not exist yet. */
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
