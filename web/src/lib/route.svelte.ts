/** Which page is shown, by its address. */

export type Route =
  | { page: 'home' }
  | { page: 'table'; table: string; invite: string }
  | { page: 'claim'; table: string; code: string }
  | { page: 'replay'; table: string; number: number };

export function routeOf(path: string, hash: string): Route {
  const [, kind = '', table = '', number = ''] = path.split('/');
  const secret = hash.slice(1);
  if (kind === 't' && table) return { page: 'table', table, invite: secret };
  if (kind === 'd' && table) return { page: 'claim', table, code: secret };
  if (kind === 'r' && table && /^[1-9]\d*$/.test(number)) return { page: 'replay', table, number: Number(number) };
  return { page: 'home' };
}

class Place {
  route: Route = $state.raw({ page: 'home' });

  constructor() {
    if (typeof location === 'undefined') return;
    this.read();
    addEventListener('popstate', () => this.read());
  }

  go(address: string): void {
    history.pushState(null, '', address);
    this.read();
    scrollTo(0, 0);
  }

  private read(): void {
    this.route = routeOf(location.pathname, location.hash);
  }
}

export const place = new Place();
