import './lines.js';
