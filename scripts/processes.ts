/** Running other programs from scripts. */
import { spawn, type ChildProcess } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

export const root = join(import.meta.dirname, '..')

/** Every program and its children use this Node and the tools of this repository. */
const path = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(
  delimiter,
)

/** Starts a program in the repository's root with an inherited terminal. */
export function start(
  command: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): ChildProcess {
  return spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path, ...env },
  })
}

/** @returns the exit code; 1 for a program that could not be started or was killed */
export function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Runs a program to completion. */
export const run = (...args: Parameters<typeof start>): Promise<number> => exitOf(start(...args))

/** Runs a program to completion beside others: each line of its output begins with a label. */
export async function runLabelled(
  label: string,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const color: Record<string, string> = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, ...color, ...env },
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`${label} │ ${line}`))
  }
  return exitOf(child)
}

/** Runs a program to completion and returns its output from both streams. */
export async function capture(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, PATH: path, ...env } })
  let output = ''
  const collect = (chunk: string) => void (output += chunk)
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const code = await exitOf(child)
  return { code, output: output.trim() }
}
