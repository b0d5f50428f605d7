// Searches as a person types a name. The page that is open decides what is read: a new search aborts the one before it.
import { createClient, OctavoError } from './client.js'

// Behind the #, so that neither is sent to the server of this page.
const settings = new URLSearchParams(location.hash.slice(1))
const form = document.querySelector('form')
const status = document.querySelector('#status')
const found = document.querySelector('#found')
let search = new AbortController()

async function show(name) {
  search.abort()
  search = new AbortController()
  const { signal } = search
  found.replaceChildren()
  status.textContent = 'Loading'
  try {
    const client = createClient({ url: settings.get('url') ?? '', token: settings.get('token') ?? '' })
    const employees = client.family('example').objects('employee')
    const walk = employees.search((q) => (name === '' ? q.everything() : q.prefix('fullName', name)), {
      signal,
    })
    for await (const { title, properties } of walk) {
      const item = document.createElement('li')
      item.textContent = `${title}, ${properties.department}`
      found.append(item)
    }
    status.textContent = `${found.children.length} found`
  } catch (error) {
    if (signal.aborted) return
    status.textContent = error instanceof OctavoError ? error.message : String(error)
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void show(new FormData(form).get('name'))
})
void show(settings.get('name') ?? '')
