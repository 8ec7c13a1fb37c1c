import { parentPort, workerData } from 'node:worker_threads'
import { quickCheck } from './sqlite-check.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, not a window
parentPort!.postMessage(quickCheck(workerData as string))
