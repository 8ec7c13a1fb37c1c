import type { UseForecast } from '@steading/api/client'
import { FORECAST_LEAST_DAYS } from '@steading/api/rules'
import { formatDate } from '../../ui/time.tsx'

type Resource = UseForecast['resource']

/** Subjects of the sentences, whether they are plural, and their word before "use". */
const subjects: Record<Resource, { name: string; many: boolean; use?: string }> = {
  cpus: { name: 'CPU', many: false },
  memory: { name: 'memory', many: false },
  storage: { name: 'storage', many: false },
  addresses: { name: 'addresses', many: true, use: 'Address' },
}

/** Consequences of a limit of 0. */
const withNone: Record<Resource, string> = {
  cpus: 'The CPU quota is 0, so no instance can start.',
  memory: 'The memory quota is 0, so no instance can start.',
  storage: 'The storage quota is 0, so no disk can be created.',
  addresses: 'The pool has no addresses.',
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** A single sentence for several resources with too little history. */
export function tooLittleHistory(of: readonly Resource[]): string {
  const names = new Intl.ListFormat('en').format(of.map((resource) => subjects[resource].name))
  return `There is too little history for a forecast of ${names}: it takes ${FORECAST_LEAST_DAYS} days.`
}

type Said = Pick<UseForecast, 'resource' | 'outlook' | 'capacity' | 'days' | 'runsOut'>

/** A forecast as a sentence. */
export function forecastSentence({ resource, outlook, capacity, days, runsOut }: Said): string {
  const { name, many, use = capital(name) } = subjects[resource]
  const verb = (one: string, all: string) => (many ? all : one)
  switch (outlook) {
    case 'full':
      return capacity > 0 ? `${capital(name)} ${verb('is', 'are')} used up.` : withNone[resource]
    case 'too_little_history':
      return tooLittleHistory([resource])
    case 'not_growing':
      return `${use} use has not grown in the last ${days} days.`
    case 'growing': {
      const rate = `At the rate of the last ${days} days, ${name}`
      if (!runsOut) return `${rate} will last for more than ten years.`
      const [earliest, likely] = [formatDate(runsOut.timeEarliest), formatDate(runsOut.timeLikely)]
      const ends = `${rate} will run out`
      if (!runsOut.timeLatest)
        return `${ends} on ${earliest} at the earliest, likely around ${likely}.`
      const latest = formatDate(runsOut.timeLatest)
      return earliest === latest
        ? `${ends} on ${earliest}.`
        : `${ends} between ${earliest} and ${latest}.`
    }
  }
}
