/** Loads of `npm run bench:hostile`, in order. */
import { silentAgents } from './guests.ts'
import { hostileBodies, largestBodies } from './hostile-bodies.ts'
import { hostileImages } from './images.ts'
import { hostileQueries, hostileRules, randomQueries } from './patterns.ts'
import { consoleFrames, consoles, firewallReads, reachabilityQuestions } from './reads.ts'
import { answersWithNamespaces, garbageAnswers, wrongPasswords } from './sign-ins.ts'
import { serialPaste, silentReaders } from './streams.ts'
import type { Load } from './world.ts'

export const loads: ({ name: string } & Load)[] = [
  { name: '20 queries with hostile patterns', ...hostileQueries },
  { name: '20 queries with random patterns', ...randomQueries },
  { name: '200 alert rules with hostile patterns', ...hostileRules },
  { name: '400 reachability questions, 1,024 rules', ...reachabilityQuestions },
  { name: '400 reads of 1,024 firewall rules', ...firewallReads },
  { name: '200,000 frames to a serial console', ...consoleFrames },
  { name: '300 serial consoles of one user', ...consoles },
  { name: 'bodies filled up to the largest size', ...hostileBodies },
  { name: 'the largest permitted bodies', ...largestBodies },
  { name: '512 MiB pasted to a serial console', ...serialPaste },
  { name: '32 event streams that nobody reads', ...silentReaders },
  { name: '200 wrong passwords from 200 addresses', ...wrongPasswords },
  { name: '200 forged answers of a provider', ...garbageAnswers },
  { name: '200 forged answers with 67 KB of namespaces', ...answersWithNamespaces },
  { name: 'two images of four million tables', ...hostileImages },
  { name: 'four snapshots with silent agents', ...silentAgents },
]
