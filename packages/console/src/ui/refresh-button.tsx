import { useState } from 'react'
import { RefreshCw } from 'lucide-react'
import { IconButton } from './button.tsx'
import { Spinner } from './spinner.tsx'
import { useMinimumTime } from './use-minimum-time.ts'

export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false)
  const spinning = useMinimumTime(busy, 300)
  const refresh = async () => {
    setBusy(true)
    await onRefresh().catch(() => {})
    setBusy(false)
  }
  return (
    <IconButton
      label="Refresh data"
      sends
      onClick={() => void refresh()}
      icon={spinning ? <Spinner /> : <RefreshCw size={16} strokeWidth={1.5} aria-hidden />}
    />
  )
}
