import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '../../data/api.ts'
import { demoProvider, type ProviderRefusal } from '../session/demo.ts'
import { DemoPersonText } from '../session/demo-person.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { addToast } from '../../ui/toasts.tsx'

type Props = {
  provider: string
  /** Path from which a browser would be redirected to the provider. */
  path: string
  onRefused: (problem: ProviderRefusal) => void
}

/** The button that opened this section is gone, so its heading takes the focus. */
const takeFocus = (heading: HTMLElement | null): void => heading?.focus()

/** Demo only: signs in through a simulated identity provider, without leaving the page. */
export function DemoSignIn({ provider, path, onRefused }: Props) {
  const router = useRouter()
  const [asked, setAsked] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const demo = demoProvider()
  if (!demo) return null
  if (!asked) {
    return (
      <Button variant="primary" className="h-10!" onClick={() => setAsked(true)}>
        Sign in with {provider}
      </Button>
    )
  }
  const signIn = async (name: string) => {
    if (chosen) return
    setChosen(name)
    const answer = await demo.signIn(path, name)
    if ('location' in answer) {
      // The cached data belongs to the previous user.
      queryClient.clear()
      addToast('Logged in')
      router.history.push(answer.location === '/' ? '/projects' : answer.location)
    } else {
      setAsked(false)
      setChosen(undefined)
      onRefused(answer)
    }
  }
  return (
    <section aria-labelledby="stand-in">
      <h2 id="stand-in" ref={takeFocus} tabIndex={-1} className="mb-1 font-medium">
        Simulated identity provider
      </h2>
      <p className="mb-3 text-secondary">
        A real provider is a site of its own, and asks for a password. This one is part of the page,
        but it signs its answer, and the control plane checks it.
      </p>
      <ul
        aria-label="Users of the identity provider"
        className="mb-4 overflow-hidden rounded-card border"
      >
        {demo.people.map((person) => (
          <li key={person.name} className="border-b last:border-b-0">
            <button
              type="button"
              aria-disabled={chosen !== undefined || undefined}
              onClick={() => void signIn(person.name)}
              className="focus-inset flex w-full items-center gap-3 px-3 py-2 hover:bg-hover"
            >
              <DemoPersonText {...person} />
              {chosen === person.name && <Spinner />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
