import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { connectEarly } from './lib/preconnect.svelte';
import { follow } from './lib/settings.svelte';

const place = document.getElementById('app');
if (!place) throw new Error('The page has no place for the app.');
follow();
connectEarly();
mount(App, { target: place });
