import { CopyButton } from '../../ui/copy-button.tsx'
import { MiddleTruncate } from '../../ui/text.tsx'
import { ipUrl } from './external-ips.ts'

/** An address that opens in a new tab, and its copy button. */
export function IpLink({ ip, className = 'max-w-60' }: { ip: string; className?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      <MiddleTruncate
        text={ip}
        href={ipUrl(ip)}
        className={`min-w-0 rounded-sm font-mono text-xs tracking-tight text-accent-text underline-offset-2 hover:underline ${className}`}
      />
      <CopyButton text={ip} />
    </span>
  )
}
