import {
  alertClassNames,
  asSentence,
  classesOf,
  urlProblem,
  secretProblem,
  subscriptionProblem,
} from '@steading/api/rules'
import { Mono } from '../../ui/text.tsx'

/** Placeholder for a secret in code. */
export const SECRET_IN_CODE = '<secret>'

export const endpointFieldProblem = (url: string): string | undefined =>
  url === '' ? 'URL is required' : asSentence(urlProblem(url))

export const secretFieldProblem = (secret: string): string | undefined =>
  secret === '' ? 'Secret is required' : asSentence(secretProblem(secret))

export const subscriptionFieldProblem = (text: string): string | undefined => {
  const problem = asSentence(subscriptionProblem(text))
  if (problem || text.includes('*')) return problem
  return classesOf(text).length > 0 ? undefined : 'There is no such class of alerts'
}

const classesText = (count: number) => (count === 1 ? 'one class' : `${count} classes`)

/** The existing classes that a subscription matches; all classes while it is empty. */
function Matches({ subscription }: { subscription: string }) {
  if (subscription !== '' && subscriptionProblem(subscription)) return null
  const classes = subscription === '' ? alertClassNames : classesOf(subscription)
  if (classes.length === 0) return 'Matches no existing class'
  return (
    <>
      {subscription === ''
        ? `There are ${classesText(classes.length)}:`
        : `Matches ${classesText(classes.length)}:`}
      <ul className="mt-1 flex flex-col gap-0.5">
        {classes.map((name) => (
          <li key={name}>
            <Mono>{name}</Mono>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Hint below the field of a subscription; its height is constant, so that nothing moves. */
export const MatchesHint = ({ subscription }: { subscription: string }) => (
  <div role="status" className="-mt-2 min-h-16 text-secondary">
    <Matches subscription={subscription} />
  </div>
)
