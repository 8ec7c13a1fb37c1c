import { siloHost } from '@steading/api/rules'
import type { Settings } from './settings.ts'

type Addresses = Pick<Settings, 'consoleUrl' | 'externalZones'>

/**
 * The address of the console for the users of a silo, without a slash at its end. It never comes from
 * a request, whose headers anybody can choose.
 * @returns undefined if the operator has configured none
 */
export function publicConsoleOf(
  { consoleUrl, externalZones }: Addresses,
  silo: string,
): string | undefined {
  const [zone] = externalZones
  return consoleUrl ?? (zone ? `https://${siloHost(silo, zone)}` : undefined)
}

/** The same, for messages, which need an address in any case. */
export const consoleOf = (settings: Addresses, silo: string): string =>
  publicConsoleOf(settings, silo) ?? 'http://localhost'
