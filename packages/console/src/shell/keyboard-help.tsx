import { ArrowBigUp, ArrowLeft, ArrowRight, type LucideIcon } from 'lucide-react'
import { createElement } from 'react'
import { modKey } from '../ui/keyboard/shortcuts.ts'
import { keyCaps, shortcutGroups, shortcutsOf } from '../ui/keyboard/shortcut-labels.ts'
import { Modal } from '../ui/modal.tsx'

export function KeyboardHelp({ onDismiss }: { onDismiss: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onDismiss={onDismiss}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div role="group" aria-label="All shortcuts" tabIndex={0} className="rounded-control">
        {shortcutGroups.map((group) => (
          <section key={group} aria-label={group} className="[&+&]:mt-5">
            <h3 className="pb-1 text-xs font-medium text-tertiary">{group}</h3>
            <dl className="divide-y divide-line">
              {shortcutsOf(group).map(({ keys, does }) => (
                <div key={does} className="flex items-center justify-between gap-4 py-1.5">
                  <dt className="text-primary">{does}</dt>
                  <dd className="flex shrink-0 items-center gap-1">
                    {keys.map((way, index) => (
                      <Keys key={way} way={way} or={index > 0} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}

/** Signs that the font does not have, with their names for screen readers. */
const signs: Record<string, { icon: LucideIcon; name: string }> = {
  '⇧': { icon: ArrowBigUp, name: 'Shift' },
  '←': { icon: ArrowLeft, name: 'Arrow Left' },
  '→': { icon: ArrowRight, name: 'Arrow Right' },
}

function KeyCap({ text }: { text: string }) {
  const sign = signs[text]
  if (!sign) return text
  return (
    <>
      {createElement(sign.icon, { size: 12, 'aria-hidden': true })}
      <span className="sr-only">{sign.name}</span>
    </>
  )
}

/** The keys of one alternative, preceded by a word if `or` is set. */
function Keys({ way, or }: { way: string; or: boolean }) {
  return (
    <>
      {or && <span className="px-0.5 text-xs text-tertiary">or</span>}
      {keyCaps(way, modKey).map((key, index) => (
        <kbd
          // eslint-disable-next-line react/no-array-index-key -- the same key can come twice
          key={index}
          className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-line-strong px-1 font-sans text-xs"
        >
          <KeyCap text={key} />
        </kbd>
      ))}
    </>
  )
}
