/** Programs that tests start as servers. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

/**
 * The path of a program that is named by a variable, or else found on the PATH.
 * @param further directories of programs that the PATH of a user lacks
 */
export function findProgram(
  command: string,
  variable: string,
  further: readonly string[] = [],
): string | undefined {
  const named = process.env[variable]
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...further]
  const candidates = named ? [named] : directories.map((directory) => join(directory, command))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Whether a program could listen on a port of the loopback address. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * A free port for a program that cannot choose one itself. It is below those that the system gives to
 * other sockets, which could take it before the program does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    if (await isFree(port)) return port
  }
}
