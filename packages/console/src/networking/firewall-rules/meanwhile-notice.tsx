import { MeanwhileNotice } from '../../forms/meanwhile-notice.tsx'
import { Button } from '../../ui/button.tsx'
import type { Meanwhile } from '../../ui/form/side-modal-form.tsx'
import { Strong } from '../../ui/text.tsx'
import type { Base } from './use-base.ts'
import type { Difference, Rule } from './rules.ts'

const REVIEW_FIRST = 'The rules were changed meanwhile: review the changes first'

const verbs: [keyof Difference, string][] = [
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['removed', 'Deleted'],
]

/** Number of names listed; the others are counted. */
const SHOWN = 8

function Names({ names }: { names: string[] }) {
  const more = names.length - SHOWN
  return (
    <>
      {names.slice(0, SHOWN).map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Strong>{name}</Strong>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}

type Props = {
  base: Base
  /** The name of the edited rule, before the change. */
  own?: string
  /** Called with the newest rules when the user continues from them. */
  onAdopt?: (rules: Rule[]) => void
}

/** Notice of changes by others while a form was open; offers to continue from them. */
export function rulesMeanwhile({ base, own, onAdopt }: Props): Meanwhile | undefined {
  const { meanwhile, adopt } = base
  if (!meanwhile) return undefined
  const isGone = own !== undefined && meanwhile.removed.includes(own)
  const isChanged = own !== undefined && meanwhile.changed.includes(own)
  const notice = (
    <MeanwhileNotice
      title="The rules were changed meanwhile"
      action={
        <Button
          size="sm"
          onClick={() => {
            const { rules } = adopt()
            onAdopt?.(rules)
          }}
        >
          Apply to the new rules
        </Button>
      }
    >
      <ul>
        {verbs
          .filter(([kind]) => meanwhile[kind].length > 0)
          .map(([kind, verb]) => (
            <li key={kind}>
              {verb}: <Names names={meanwhile[kind]} />
            </li>
          ))}
      </ul>
      {isGone && <p>This rule itself was deleted: saving it adds it again.</p>}
      {isChanged && (
        <p>This rule itself was changed: saving it overwrites the changes of others.</p>
      )}
    </MeanwhileNotice>
  )
  return { notice, reason: REVIEW_FIRST }
}
