const KEY = 'username'

/** The name that was signed in with in this tab, to be offered when the session has ended. */
export const rememberedUsername = (): string => sessionStorage.getItem(KEY) ?? ''
export const rememberUsername = (username: string): void => sessionStorage.setItem(KEY, username)
