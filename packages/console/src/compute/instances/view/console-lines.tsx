import type { Instance } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { base64ToUint8Array } from 'uint8array-extras'
import { apiQuery } from '../../../data/api.ts'
import { TextLink } from '../../../ui/link.tsx'
import { lastLines } from '../../serial-console/last-lines.ts'
import type { InstanceParams } from '../queries.ts'

/** Bytes of output that are read for the last lines. */
const BYTES = 4096
const LINES = 7
/** Milliseconds between reads while the instance runs. */
const POLL_MS = 10_000

/** The last lines of the serial console, also of an instance that is off. */
export default function ConsoleLines({
  params,
  instance,
}: {
  params: InstanceParams
  instance: Instance
}) {
  const { data, error } = useQuery({
    ...apiQuery('serialConsoleLog', {
      path: { instance: params.instance },
      query: { project: params.project, mostRecent: BYTES },
    }),
    refetchInterval: instance.runState === 'running' && POLL_MS,
    retry: false,
  })
  const lines = data ? lastLines(base64ToUint8Array(data.data), LINES) : []
  return (
    <figure
      aria-busy={!data && !error}
      className="flex min-h-41 min-w-0 flex-col overflow-hidden rounded-card border bg-sunken"
    >
      <figcaption className="border-b px-3 py-1.5">
        <TextLink to="/projects/$project/instances/$instance/serial-console" params={params}>
          Last lines of the console
        </TextLink>
      </figcaption>
      {lines.length > 0 ? (
        <pre className="flex-1 overflow-hidden px-3 py-2 font-mono text-xs leading-4 text-secondary">
          {lines.map((line, index) => (
            <span key={index} className="block truncate">
              {line}
            </span>
          ))}
        </pre>
      ) : (
        <p className="m-auto px-3 text-xs text-tertiary">
          {error ? 'The output could not be read' : data && 'No output yet'}
        </p>
      )}
    </figure>
  )
}
