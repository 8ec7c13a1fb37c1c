import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { queryClient, useApiMutation } from '../data/api.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { addToast } from '../ui/toasts.tsx'
import { LoginFrame } from './login-frame.tsx'
import { redirectTarget } from './redirect-target.ts'

export function LocalLoginPage() {
  const { silo } = useParams({ from: '/login/$silo/local' })
  const { redirect_uri: redirectUri } = useSearch({ from: '/login/$silo/local' })
  const router = useRouter()
  const form = useForm({ defaultValues: { username: '', password: '' } })
  const login = useApiMutation('loginLocal', {
    expected: [401],
    onSuccess: () => {
      // The cached data belongs to the user who was signed in before.
      queryClient.clear()
      addToast('Logged in')
      router.history.push(redirectTarget(redirectUri))
    },
  })
  const { errors } = form.formState
  return (
    <LoginFrame>
      <div className="mb-8 flex items-center gap-3">
        <Identicon name={silo} size={40} />
        <div className="min-w-0">
          <div className="text-xs text-tertiary">Silo</div>
          <h1 className="truncate text-xl font-semibold">{silo}</h1>
        </div>
      </div>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={form.handleSubmit((body) => login.mutate({ path: { siloName: silo }, body }))}
      >
        <div className="flex flex-col gap-1">
          <input
            {...form.register('username', { required: 'Username is required' })}
            placeholder="Username"
            aria-label="Username"
            aria-invalid={errors.username ? true : undefined}
            aria-describedby="username-error"
            autoComplete="username"
            autoCapitalize="none"
            className="field-control h-10"
          />
          <FieldError id="username" error={errors.username?.message} />
        </div>
        <div className="flex flex-col gap-1">
          <input
            {...form.register('password', { required: 'Password is required' })}
            type="password"
            placeholder="Password"
            aria-label="Password"
            aria-invalid={errors.password ? true : undefined}
            aria-describedby="password-error"
            autoComplete="current-password"
            className="field-control h-10"
          />
          <FieldError id="password" error={errors.password?.message} />
        </div>
        <Button type="submit" variant="primary" className="h-10! w-full" loading={login.isPending}>
          Sign in
        </Button>
        <div aria-live="assertive" className="text-red-text empty:hidden">
          {login.isError && 'Could not sign in. Please try again.'}
        </div>
      </form>
    </LoginFrame>
  )
}
