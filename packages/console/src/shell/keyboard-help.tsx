import { Modal } from '../ui/modal.tsx'
import { modLabel } from './platform.ts'

const shortcuts: [keys: string[], what: string][] = [
  [[modLabel, 'K'], 'Open or close quick actions'],
  [['?'], 'Show keyboard shortcuts'],
  [['/'], 'Search the list'],
  [['⇧', 'Space'], 'Select the rows up to this one'],
  [['.'], 'Go to the actions of what is selected'],
  [['['], 'Collapse or expand the sidebar'],
  [['←', '→'], 'Move between tabs'],
  [['Esc'], 'Close a menu, panel or dialog'],
]

export function KeyboardHelp({ onDismiss }: { onDismiss: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onDismiss={onDismiss}>
      <dl className="divide-y divide-line">
        {shortcuts.map(([keys, what]) => (
          <div key={what} className="flex items-center justify-between gap-4 py-2">
            <dt className="text-primary">{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-line-strong px-1 font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
