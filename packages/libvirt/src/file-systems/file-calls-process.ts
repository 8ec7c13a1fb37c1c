/**
 * The process that makes the calls to a file system for a server, with a channel to it. It ends with
 * the server, also while its threads wait for the file system.
 */
import { errorCode, errorMessage } from '@steading/files'
import { fileCalls } from './file-calls.ts'
import type { FileAnswer, FileQuestion } from './guarded-calls.ts'

/** At once: an orderly end would wait for the threads. */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// A signal to all processes of a terminal or a service is for the server, which may still need calls.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

async function answer({ id, name, args }: FileQuestion): Promise<FileAnswer> {
  try {
    const call = fileCalls[name] as (...given: unknown[]) => Promise<unknown>
    return { id, result: await call(...args) }
  } catch (error) {
    return { id, error: errorMessage(error), code: errorCode(error) }
  }
}

process.on('message', async (question: FileQuestion) => {
  const found = await answer(question)
  if (process.connected) process.send!(found, undefined, undefined, () => {})
})
