import { mountConsole } from './app.tsx'

void mountConsole(document.getElementById('root')!)
