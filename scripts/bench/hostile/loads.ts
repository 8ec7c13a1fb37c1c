/** The loads of `npm run bench:hostile`, in the order in which they are applied. */
import { hostileQueries, hostileRules } from './patterns.ts'
import { consoleFrames, consoles, firewallReads, reachabilityQuestions } from './reads.ts'
import type { Load } from './world.ts'

export const loads: ({ name: string } & Load)[] = [
  { name: '20 queries with hostile patterns', ...hostileQueries },
  { name: '200 alert rules with hostile patterns', ...hostileRules },
  { name: '400 reachability questions, 1,024 rules', ...reachabilityQuestions },
  { name: '400 reads of 1,024 firewall rules', ...firewallReads },
  { name: '200,000 frames to a serial console', ...consoleFrames },
  { name: '300 serial consoles of one user', ...consoles },
]
