import { formatUserCode, USER_CODE_LENGTH } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useApiMutation } from '../../data/api.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { CodeBoxes } from './code-boxes.tsx'

/** A card in the middle of the page, with the logo at the bottom. */
export const DeviceFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <main
    id="content"
    tabIndex={-1}
    className="flex min-h-dvh flex-col items-center bg-sunken px-4 pt-(--banner-height) pb-8"
  >
    <div className="flex w-full max-w-md flex-1 flex-col justify-center">
      <div className="flex flex-col items-center rounded-card border bg-raised px-6 py-10 text-center max-sm:px-4">
        <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">{title}</h1>
        {children}
      </div>
    </div>
    <div className="mt-8 flex items-center gap-2 text-base font-semibold text-secondary">
      <Logo size={22} className="text-accent-text" /> Steading
    </div>
  </main>
)

const empty = Array.from({ length: USER_CODE_LENGTH }, () => '')

/** Page for entering the code of a device, which signs the device in. */
export function DeviceVerifyPage() {
  const id = useId()
  const navigate = useNavigate()
  const [letters, setLetters] = useState(empty)
  const { mutate, reset, isPending, isSuccess, error } = useApiMutation('deviceAuthConfirm', {
    expected: [400, 404, 429],
    onSuccess: () => navigate({ to: '/device/success' }),
  })
  const complete = letters.every(Boolean)
  return (
    <DeviceFrame title="Device Authentication">
      <p className="mb-6 text-secondary">Enter the code shown on your device</p>
      <form
        noValidate
        className="flex flex-col items-center"
        onSubmit={(event) => {
          event.preventDefault()
          if (!complete || isPending || isSuccess) return
          mutate({ body: { userCode: formatUserCode(letters.join('')) } })
        }}
      >
        <CodeBoxes
          letters={letters}
          errorId={error ? id : undefined}
          onChange={(changed) => {
            reset()
            setLetters(changed)
          }}
        />
        <div id={id} aria-live="assertive" className="my-2 min-h-lh text-red-text">
          {error && (error.statusCode === 404 ? 'Code is invalid' : error.message)}
        </div>
        <Button
          type="submit"
          variant="primary"
          className="h-10! w-full"
          loading={isPending}
          disabled={!complete || isPending || isSuccess}
        >
          Log in on device
        </Button>
      </form>
      <p className="mt-6 text-xs text-balance text-tertiary">
        Enter only the code of a device that you use yourself. It will be able to do what you can do
        here.
      </p>
    </DeviceFrame>
  )
}

export const DeviceSuccessPage = () => (
  <DeviceFrame title="Device logged in">
    <p className="text-secondary">You can close this window</p>
  </DeviceFrame>
)
