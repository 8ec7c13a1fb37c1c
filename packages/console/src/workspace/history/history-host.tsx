import { useNavigate, useSearch } from '@tanstack/react-router'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { withHistory } from './history-address.ts'

const HistoryPanel = lazyPart(() => import('./history-panel.tsx'))

/** Shows the address's history over any page. Rendered once by the shell. */
export function HistoryHost() {
  const { history } = useSearch({ strict: false }) as { history?: string }
  const navigate = useNavigate()
  const close = () => void navigate({ to: '.', search: withHistory(), replace: true })
  return (
    <DialogPart onDismiss={close}>
      {history && <HistoryPanel key={history} history={history} onDismiss={close} />}
    </DialogPart>
  )
}
