/**
 * A server of files for hosts in namespaces. The kernel of a test may have no client of NFS, so the
 * program `mount` of the hosts gives them its file systems by binding them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (program: string, ...args: string[]): void => void execFileSync(program, args)

export function startFiler() {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-filer-'))
  const [real, mount, silent] = ['real-mount', 'mount', 'silent'].map((name) => join(folder, name))
  run('cp', '/usr/bin/mount', real!)
  // libvirt calls it as `mount -o … -t nfs filer:/name /directory`.
  writeFileSync(
    mount!,
    [
      '#!/bin/sh',
      `case "$*" in *" -t nfs "*) ;; *) exec ${real} "$@" ;; esac`,
      'for directory; do source=$exported exported=$directory; done',
      `while [ -e ${silent} ]; do sleep 0.1; done`,
      `export=${folder}/\${source#filer:/}`,
      'if [ ! -d "$export" ]; then',
      '  echo "mount.nfs: mounting $source failed, reason given by server: No such file or directory" >&2',
      '  exit 32',
      'fi',
      `exec ${real} --bind "$export" "$directory"`,
    ].join('\n'),
    { mode: 0o755 },
  )
  const roots: string[] = []
  const unmount = (path: string): void => run('umount', '-l', path)
  /** Directories in which hosts and servers mount exports. */
  const places: string[] = []
  return {
    /** The program `mount` of the hosts. */
    mount: mount!,
    /** Exports an empty file system, `filer:/name`. */
    add(name: string): void {
      const root = join(folder, name)
      mkdirSync(root)
      run('mount', '-t', 'tmpfs', '-o', 'size=64m', `filer:/${name}`, root)
      roots.push(root)
    },
    /** Where an export is to be mounted. */
    placeFor(name: string): string {
      const place = `/mnt/steading-${process.pid}-${name}`
      places.push(place)
      return place
    },
    /** Mounts an export on this machine, as an operator does on a server. */
    mountHere(name: string, place: string): void {
      mkdirSync(place, { recursive: true })
      run('mount', '--bind', join(folder, name), place)
      roots.push(place)
    },
    /** Mounts do not end, or go on. */
    silence(isSilent: boolean): void {
      if (isSilent) writeFileSync(silent!, '')
      else rmSync(silent!)
    },
    end(): void {
      for (const root of roots.toReversed()) unmount(root)
      for (const place of places) {
        if (existsSync(place)) run('rmdir', place)
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
