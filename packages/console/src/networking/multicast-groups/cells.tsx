import { CopyButton } from '../../ui/copy-button.tsx'
import { MiddleTruncate, Mono, Truncate } from '../../ui/text.tsx'

export const IpCell = ({ ip }: { ip: string }) => (
  <span className="flex min-w-0 items-center gap-0.5">
    <span className="min-w-0 font-mono text-xs tracking-tight">
      <MiddleTruncate text={ip} />
    </span>
    <CopyButton text={ip} />
  </span>
)

type Sources = { sourceIps: readonly string[]; any: boolean }

/** Where packets are taken from. */
export function SourcesCell({ sourceIps, any }: Sources) {
  if (any) return <span className="text-secondary">any</span>
  return (
    <Mono>
      <Truncate text={sourceIps.join(', ')} />
    </Mono>
  )
}
